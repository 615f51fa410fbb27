import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  SHAPES,
  type ShapeName,
  serveShape,
  THINGS,
  TYPES,
} from '../../../client/src/foreign/shapes.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { mirrorIn } from '../mirror/mirror.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const thingsOf = (type: string) => THINGS.filter((thing) => thing.type === type)

async function said(...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await runWith(argv)
  assert.equal(code, 0, `${argv.join(' ')}: ${err}`)
  assert.doesNotMatch(out + err, /undefined|\[object/)
  if (argv[0] !== 'show') assert.doesNotMatch(out + err, /not recognised/)
  return out
}

/** Returns the cells of a printed table, without its heading. */
const cellsOf = (table: string) =>
  table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/))

for (const name of Object.keys(SHAPES) as ShapeName[]) {
  test(`a world of the shape ${name} is read whole by every command`, async (t) => {
    const { url, close } = await serveShape(name)
    t.after(close)
    const shown = await said('show', url)
    for (const type of TYPES) assert.match(shown, new RegExp(`^${type}$`, 'm'))
    const types = await said('types', url)
    for (const type of TYPES) assert.ok(types.includes(`"${type}"`), types)
    for (const type of TYPES) {
      const expected = thingsOf(type).map(({ id, title }) => [id, title])
      assert.deepEqual(cellsOf(await said('list', url, type, '--all')), expected)
      assert.deepEqual(cellsOf(await said('list', url, type)), expected.slice(0, 5))
      const { id, title } = thingsOf(type)[1] ?? { id: '', title: '' }
      const got = await said('get', url, type, id)
      assert.match(got, new RegExp(`^type +${type}\nid +${id}\ntitle +${title}$`, 'm'))
      assert.match(got, /^isbn +9780316148502$/m)
      assert.deepEqual(cellsOf(await said('discover', url, title)), [[type, id, title]])
    }
  })

  test(`a world of the shape ${name} is mirrored whole`, async (t) => {
    const { url, close } = await serveShape(name)
    t.after(close)
    const cwd = await folderOf(t, {})
    const { code, err } = await runWith(['mirror', url, 'copy'], { cwd })
    assert.equal(code, 0, err)
    const { manifest, entities } = await mirrorIn(join(cwd, 'copy'))
    const byName = (one: string, other: string) => (one < other ? -1 : 1)
    const keyOf = ({ type, id, attributes }: Record<string, Record<string, unknown> | string>) =>
      `${type} ${id} ${Object(attributes)['isbn']}`
    assert.deepEqual(
      entities.map((line) => keyOf(JSON.parse(line))).toSorted(byName),
      THINGS.map((thing) => keyOf({ ...thing })).toSorted(byName),
    )
    for (const type of TYPES) {
      const { entities, pages, skipped } = manifest.reading.types[type]
      assert.deepEqual(
        [entities, pages, skipped],
        [thingsOf(type).length, type === TYPES[0] ? 5 : 2, undefined],
      )
    }
    assert.deepEqual(manifest.reading.unrecognised, [])
  })
}
