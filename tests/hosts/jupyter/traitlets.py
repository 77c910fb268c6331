"""A trait that is sent along with its widget."""


class Dict:
    def tag(self, **_):
        return self
