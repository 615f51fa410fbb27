import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderOf } from '../../../cli/src/serving.fixture.ts'
import { watchFiles } from './watch-files.ts'

test('a reload that ends after the watch was closed adds no paths, and does not fail', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': '' })
  const watch = watchFiles(
    [folder],
    () => false,
    async () => 'done',
  )
  await watch.close()
  assert.doesNotThrow(() => watch.paths([folder, `${folder}/world.yaml`]))
})
