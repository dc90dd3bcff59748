-- sweep_batch stays: it does what the one before it did. No statement is an error in some clients.
SELECT 1;
