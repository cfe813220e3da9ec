"""What is computed: the tape, the reverse pass, the ledger of contributions, programs of passes."""
