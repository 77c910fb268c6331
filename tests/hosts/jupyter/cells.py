# A notebook's cells, one after the other. The two packages that they import are here: what Python sends to the page for each
# widget is written down, an object a line, and a trait is sent along with its widget.
import json
import sys
import types


class AnyWidget:
    def __init__(self, **traits):
        print(json.dumps({"_esm": self._esm.read_text(), **traits}))


class Dict:
    def tag(self, **_):
        return self


sys.modules["anywidget"] = types.SimpleNamespace(AnyWidget=AnyWidget)
sys.modules["traitlets"] = types.SimpleNamespace(Dict=Dict)

@first@

@second@
