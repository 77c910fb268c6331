project = "A course"
extensions = ["myst_parser"]
html_theme = "furo"
