DROP FUNCTION settle_delivery, take_deliveries, close_batches, cancel_batch, resume_batch,
  pause_batch;
DROP TRIGGER worker_changed ON worker;
DROP TRIGGER batch_created ON batch;
DROP FUNCTION record_worker_change, record_batch_created, record_event;
ALTER TABLE batch DROP COLUMN pause_reason, DROP COLUMN paused_by, DROP COLUMN paused_at,
  DROP COLUMN resumed_at, DROP COLUMN failure_share, DROP COLUMN failure_share_passed_at;
DROP TABLE delivery, receiver, event;
DROP SEQUENCE event_id;
