-- Adds what a process has counted to the levels that Redis keeps, and returns how high they are now.
-- Its arguments, for each level: how fast it sinks, how high it is at least as far as that process knows, and how much
-- is new.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local levels = {}
for i, key in ipairs(KEYS) do
    local sinks, known, more = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
    local kept = redis.call('HMGET', key, 'used', 'at')
    local used = 0
    if kept[1] then
        used = math.max(0, tonumber(kept[1]) - math.max(0, now - tonumber(kept[2])) * sinks)
    end
    used = math.max(used, known) + more
    if used > 0 then
        redis.call('HSET', key, 'used', string.format('%.6f', used), 'at', string.format('%.0f', now))
        redis.call('PEXPIRE', key, math.ceil(used / sinks) + 1000)
    end
    levels[i] = string.format('%.6f', used)
end
return levels
