DROP FUNCTION enqueue_staged, open_staging, known_outputs, known_jobs, register_recipes, seal_batch,
  beat_submission, create_batch, sweep_cancelled, tidy_batches, keep_house, open_submissions,
  promote_jobs, abandoned_jobs, release_forgotten, orphaned_leases, stop_jobs, release_jobs, fail_jobs,
  record_statistics, record_proofs, complete_replacements, completed_with, complete_jobs,
  replacement_of_job, intend_replacement, publish_intents, lock_lease, free_leases, recipes,
  missing_roots, claim_jobs, hint_batches, bury_workers, workers_on_host, live_workers,
  set_worker_state, beat_worker, register_worker, schema_version;
DROP INDEX job_ready;
CREATE INDEX job_ready ON job (batch_id, priority DESC, id) WHERE ready;
ALTER TABLE batch DROP COLUMN submission_beat, DROP COLUMN head_id, DROP COLUMN head_rank;
