-- A group of roles for those who tell of events and do nothing else.

INSERT INTO function_right VALUES
  ('schema_version', 'rawmill_notifier'), ('take_deliveries', 'rawmill_notifier'),
  ('settle_delivery', 'rawmill_notifier'),
  -- Why nobody claims what one submitted.
  ('asides', 'rawmill_submitter');
