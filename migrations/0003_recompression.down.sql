DROP TABLE audited, audit, replacement, proof;
DROP INDEX output_path;
ALTER TABLE job DROP COLUMN kept_path, DROP COLUMN kept_root, DROP COLUMN replaces;
