-- Who asked for a listing: a person, who has then seen it, or an evaluation that asked once more at its end.
ALTER TABLE server_listings ADD COLUMN asked_by TEXT NOT NULL DEFAULT 'person' CHECK (asked_by IN ('person', 'evaluation'));
