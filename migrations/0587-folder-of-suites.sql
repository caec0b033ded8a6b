-- Where the files and programs of a suite's tasks are: the folder of the file that it came from.
ALTER TABLE suites ADD COLUMN folder TEXT;
