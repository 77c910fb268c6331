project = "A course"
extensions = ["myst_parser"]
html_theme = "sphinx_rtd_theme"
