/** Writes entities one by one until its disk is cut off. Prints the number of each acknowledged write on stdout. */
import { writeSync } from 'node:fs'
import { openStore } from '@worldwright/engines'

const store = await openStore(`sqlite:${process.argv[2]}`, { role: 'writer' })
const { total } = await store.list('chaos:write', { limit: 0 })
for (let number = total; ; number++) {
  await store.write([
    { put: { type: 'chaos:write', id: `w${number}`, title: `Write ${number}`, attributes: {} } },
  ])
  writeSync(1, `${number}\n`)
}
