-- Which roots a batch needs and which a worker has, so that no worker claims what it can't reach.

-- Roots of the inputs and outputs of its jobs; grows with each slice that is submitted.
ALTER TABLE batch ADD COLUMN roots text[] NOT NULL DEFAULT '{}';
UPDATE batch b SET roots = (
  SELECT coalesce(array_agg(DISTINCT root), '{}')
  FROM job j CROSS JOIN LATERAL unnest(j.output_roots || j.input_root) AS root
  WHERE j.batch_id = b.id
) WHERE b.finished_at IS NULL;

-- Workers of an earlier version end with it.
ALTER TABLE worker ADD COLUMN roots text[] NOT NULL DEFAULT '{/}';
