"""A run as one page of HTML to step through, offline: nothing in it is loaded from elsewhere."""

from bpstep.render.html.page import page

__all__ = ["page"]
