DELETE FROM function_right WHERE function_name IN ('ensure_partitions', 'abandoned_jobs',
  'beat_submission', 'beat_worker', 'bury_workers', 'claim_jobs', 'complete_jobs',
  'complete_replacements', 'create_batch', 'enqueue_staged', 'fail_jobs', 'intend_replacement',
  'keep_house', 'known_jobs', 'known_outputs', 'live_workers', 'lock_lease', 'missing_roots',
  'open_staging', 'open_submissions', 'orphaned_leases', 'promote_jobs', 'publish_intents',
  'recipes', 'record_proofs', 'record_statistics', 'register_recipes', 'register_worker',
  'release_forgotten', 'release_jobs', 'replacement_of_job', 'schema_version', 'seal_batch',
  'set_worker_state', 'stop_jobs', 'sweep_batch', 'sweep_cancelled', 'tidy_batches', 'workers_on_host');
DROP FUNCTION enqueue_staged, open_staging, known_outputs, known_jobs, register_recipes, seal_batch,
  beat_submission, create_batch, sweep_cancelled, sweep_batch, tidy_batches, advance_head, keep_house,
  open_submissions,
  promote_jobs, abandoned_jobs, release_forgotten, orphaned_leases, stop_jobs, release_jobs, fail_jobs,
  record_statistics, record_proofs, complete_replacements, completed_with, complete_jobs,
  replacement_of_job, intend_replacement, publish_intents, lock_lease, free_leases, recipes,
  missing_roots, claim_jobs, hint_batches, bury_workers, workers_on_host, live_workers,
  set_worker_state, beat_worker, register_worker, schema_version;
DROP INDEX job_ready;
CREATE INDEX job_ready ON job (batch_id, priority DESC, id) WHERE ready;
ALTER TABLE batch DROP COLUMN submission_beat, DROP COLUMN head_id, DROP COLUMN head_rank;
