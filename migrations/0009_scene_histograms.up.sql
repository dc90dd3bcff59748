-- Histograms of developed scenes: what statistics outputs with areaHistogram counted.

CREATE TABLE scene_histogram (
  job_id bigint NOT NULL,
  output_id text NOT NULL,
  measured_at timestamptz NOT NULL,
  batch_id bigint NOT NULL,
  channel text NOT NULL,
  color_space text NOT NULL,
  exposure_ev double precision NOT NULL,
  pixels bigint NOT NULL,
  scale double precision NOT NULL,
  minimum double precision NOT NULL,
  maximum double precision NOT NULL,
  mean double precision,
  below bigint NOT NULL,
  above bigint NOT NULL,
  bins bigint[] NOT NULL,
  PRIMARY KEY (job_id, output_id, channel, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX scene_histogram_batch ON scene_histogram (batch_id);
ALTER TABLE scene_histogram ENABLE ROW LEVEL SECURITY;
COMMENT ON TABLE scene_histogram IS 'One row for each channel of a photo''s linear scene: red, green, blue and luminance in a colour space.';
COMMENT ON COLUMN scene_histogram.job_id IS 'As in photo_statistics.';
COMMENT ON COLUMN scene_histogram.output_id IS 'As in photo_statistics.';
COMMENT ON COLUMN scene_histogram.measured_at IS 'As in photo_statistics.';
COMMENT ON COLUMN scene_histogram.batch_id IS 'As in photo_statistics.';
COMMENT ON COLUMN scene_histogram.channel IS 'red, green, blue or luminance (Y of the colour space).';
COMMENT ON COLUMN scene_histogram.color_space IS 'The recipe''s areaHistogram: rec2020, displayP3, prophoto or acesAP0.';
COMMENT ON COLUMN scene_histogram.exposure_ev IS 'Exposure as applied, in EV.';
COMMENT ON COLUMN scene_histogram.pixels IS 'Counted pixels.';
COMMENT ON COLUMN scene_histogram.scale IS 'The recipe''s areaHistogramScale: Core Image''s value of a bin is bins * scale / pixels.';
COMMENT ON COLUMN scene_histogram.minimum IS 'Lowest value; 1 is a white that just clips at exposure 0.';
COMMENT ON COLUMN scene_histogram.maximum IS 'Highest value.';
COMMENT ON COLUMN scene_histogram.mean IS 'Mean of the values.';
COMMENT ON COLUMN scene_histogram.below IS 'Pixels below 0, which the first bin has too.';
COMMENT ON COLUMN scene_histogram.above IS 'Pixels above 1, which the last bin has too.';
COMMENT ON COLUMN scene_histogram.bins IS 'Pixels by bin of equal width over 0 to 1.';

SELECT ensure_partitions(3);

INSERT INTO function_right VALUES ('record_scene_histograms', 'rawmill_worker');

-- Records histograms of scenes in the transaction that completes their jobs, after record_statistics.
CREATE FUNCTION record_scene_histograms(
  jobs bigint[], tokens uuid[], output_ids text[], histograms jsonb[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  DELETE FROM scene_histogram WHERE job_id = ANY (ARRAY(
    SELECT c.job_id FROM completed_with(jobs, tokens) AS c WHERE c.attempt > 1));
  INSERT INTO scene_histogram (
    job_id, output_id, measured_at, batch_id, channel, color_space, exposure_ev, pixels, scale,
    minimum, maximum, mean, below, above, bins)
  SELECT c.job_id, g.output_id, s.measured_at, j.batch_id, p->>'channel', g.histogram->>'colorSpace',
    (g.histogram->>'exposureEV')::float8, (g.histogram->>'pixels')::bigint,
    (g.histogram->>'scale')::float8, (p->>'minimum')::float8, (p->>'maximum')::float8,
    (p->>'mean')::float8, (p->>'belowCount')::bigint, (p->>'aboveCount')::bigint,
    ARRAY(SELECT jsonb_array_elements_text(p->'bins')::bigint)
  FROM unnest(jobs, output_ids, histograms) AS g (job_id, output_id, histogram)
  JOIN completed_with(jobs, tokens) AS c ON c.job_id = g.job_id
  CROSS JOIN LATERAL (SELECT batch_id FROM job WHERE id = c.job_id OFFSET 0) AS j
  CROSS JOIN LATERAL (
    SELECT measured_at FROM photo_statistics
    WHERE job_id = c.job_id AND output_id = g.output_id ORDER BY measured_at DESC LIMIT 1
  ) AS s
  CROSS JOIN LATERAL jsonb_array_elements(g.histogram->'channels') AS p;
END
$$;

-- The sum of a batch's scene histograms with the same space and number of bins.
CREATE FUNCTION batch_scene_histogram(batch bigint)
RETURNS TABLE (color_space text, channel text, bin_count integer, bin integer, pixels bigint)
LANGUAGE sql STABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT h.color_space, h.channel, cardinality(h.bins), b.ordinal::integer - 1, sum(b.pixels)::bigint
  FROM scene_histogram AS h
  CROSS JOIN LATERAL unnest(h.bins) WITH ORDINALITY AS b (pixels, ordinal)
  WHERE h.batch_id = batch
  GROUP BY h.color_space, h.channel, cardinality(h.bins), b.ordinal
  ORDER BY h.color_space, h.channel, cardinality(h.bins), b.ordinal
$$;
