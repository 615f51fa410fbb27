-- Requests one path, or entities in turn: PATH COUNT START. Prints "ready" before the load, and the outcome as JSON after it.

-- Step between entities: a prime, so that every entity is visited before any is repeated, and neighbours far apart.
local STRIDE = 7919

function setup()
  print('ready')
  io.flush()
end

function init(args)
  if #args == 0 then return end
  local before, after = wrk.format(nil, args[1] .. '@'):match('^([^@]*)@(.*)$')
  local count, at = tonumber(args[2]), tonumber(args[3])
  function request()
    at = (at + STRIDE) % count
    return before .. ('%08d'):format(at) .. after
  end
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(('{"answered":%d,"seconds":%f,"failed":%d}'):format(summary.requests, summary.duration / 1e6, failed))
end
