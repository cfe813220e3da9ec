"""`python -m bpstep`: the program itself."""

from bpstep.cli import main

if __name__ == "__main__":
    main()
