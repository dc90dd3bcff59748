DROP FUNCTION ensure_partitions(integer);
DROP TABLE progress, tally, attempt, failure, provenance, output, worker, lease, target, job, batch,
  recipe;
