/** Writes entities through a node of its own: `node FILE URL COUNT`. Preload `next-format.fixture.ts` for the next format. */
import { openDirect } from './direct.ts'

const [, , url = '', count] = process.argv
const node = await openDirect(url)
for (let at = 0; at < Number(count); at++)
  await node.write([{ put: { type: 'a:one', id: `next-${at}`, attributes: {} } }])
await node.close()
