/** A process whose disk is cut off: writes entities one by one and prints each acknowledged write on stdout. */
import { writeSync } from 'node:fs'
import { openStore } from '@worldwright/engines'

const storage = await openStore(`sqlite:${process.argv[2]}`, { role: 'writer' })
const { total } = await storage.list('chaos:write', { limit: 0 })
for (let number = total; ; number++) {
  await storage.write([
    { put: { type: 'chaos:write', id: `w${number}`, title: `Write ${number}`, attributes: {} } },
  ])
  writeSync(1, `${number}\n`)
}
