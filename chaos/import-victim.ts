/**
 * A process to be killed: imports a file while writing entities one by one, and prints each acknowledged write on stdout
 * before the next begins.
 */
import { writeSync } from 'node:fs'
import { StorageFault } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { importRecords, resultOf, sourceFromFile } from '@worldwright/publish'

const [file = '', store = '', first = '0'] = process.argv.slice(2)
const storage = await openStore(`sqlite:${store}`, { role: 'writer' })
let importing = true
const imported = resultOf(
  importRecords(storage, [{ source: await sourceFromFile(file) }], { replace: true }),
).finally(() => {
  importing = false
})

for (let number = Number(first); importing; number++) {
  const put = { type: 'chaos:write', id: `w${number}`, attributes: { number } }
  try {
    await storage.write([{ put }])
    // Straight to the pipe: buffered output would be lost with the process.
    writeSync(1, `${number}\n`)
  } catch (error) {
    // The writer waited too long, and nothing was acknowledged.
    if (!(error instanceof StorageFault && error.code === 'busy')) throw error
  }
  await new Promise((resolve) => setImmediate(resolve))
}
await imported
await storage.close()
