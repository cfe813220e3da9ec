"""What a reverse pass means: reads graph and ledger, returns typed findings, words nothing."""
