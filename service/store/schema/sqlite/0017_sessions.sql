-- Sign-up by a page put the account's first token into the browser, where nothing could end it. Which of them lie in a
-- browser nobody can tell: all of people's are sessions from now on, and end by the same deeds.
UPDATE tokens SET kind = 'session' WHERE name = 'first' AND kind = 'token' AND scopes LIKE '% account'
 AND player IN (SELECT id FROM players WHERE kind = 'human' AND owner IS NULL)
