-- Keeps which places a process has taken, and returns what the others have told lately.
-- Its arguments: the process, what it has taken ("" if it leaves), and for how many seconds what is told counts.
local now = tonumber(redis.call('TIME')[1])
if ARGV[2] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
else
    redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now, ARGV[2]))
end
local kept, others = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #kept, 2 do
    local at, told = string.match(kept[i + 1], '^(%d+) (.*)$')
    if not at or math.abs(now - tonumber(at)) > tonumber(ARGV[3]) then
        redis.call('HDEL', KEYS[1], kept[i])
    elseif kept[i] ~= ARGV[1] then
        others[#others + 1] = told
    end
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return others
