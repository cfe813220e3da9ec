"""The debugger without a screen: a run and a position, breakpoints, the command language."""
