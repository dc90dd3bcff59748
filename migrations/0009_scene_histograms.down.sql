DROP FUNCTION batch_scene_histogram, record_scene_histograms;
DELETE FROM function_right WHERE function_name = 'record_scene_histograms';
DROP TABLE scene_histogram;
