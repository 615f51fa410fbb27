/**
 * Runs until killed: imports a file while writing entities one by one. Prints the number of each acknowledged write on
 * stdout before the next write begins.
 */
import { writeSync } from 'node:fs'
import { StoreFault } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { importRecords, resultOf, sourceFromFile } from '@worldwright/publish'

const [file = '', path = '', first = '0'] = process.argv.slice(2)
const store = await openStore(`sqlite:${path}`, { role: 'writer' })
let importing = true
const imported = resultOf(
  importRecords(store, [{ source: await sourceFromFile(file) }], { replace: true }),
).finally(() => {
  importing = false
})

for (let number = Number(first); importing; number++) {
  const put = { type: 'chaos:write', id: `w${number}`, attributes: { number } }
  try {
    await store.write([{ put }])
    // Written directly to the pipe, because buffered output would be lost with the process.
    writeSync(1, `${number}\n`)
  } catch (error) {
    // The write waited too long and was not acknowledged.
    if (!(error instanceof StoreFault && error.code === 'busy')) throw error
  }
  await new Promise((resolve) => setImmediate(resolve))
}
await imported
await store.close()
