"""What Python sends to the page for each widget, written down: an object a line."""
import json


class AnyWidget:
    def __init__(self, **traits):
        print(json.dumps({"_esm": self._esm.read_text(), **traits}))
