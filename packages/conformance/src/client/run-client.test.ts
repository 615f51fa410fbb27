import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entitiesOf, failureOf, type Run, words } from './run-client.ts'

function run(stdout: string, stderr = ''): Run {
  return { arguments: [], exitCode: 0, stdout, stderr, late: false }
}

test('a command is split at spaces outside quotes', () => {
  assert.deepEqual(words(`node  "my client.js" --name='a b'"c"`), ['node', 'my client.js', '--name=a bc'])
  assert.deepEqual(words(''), [])
})

test('entities are read from lines, from an array, and from an object with an array', () => {
  for (const text of ['{"id":1}\n{"id":2}\n', '[{"id":1},{"id":2}]', '{"items":[{"id":1},{"id":2}]}'])
    assert.deepEqual(entitiesOf(run(text)), [{ id: 1 }, { id: 2 }])
  assert.deepEqual(entitiesOf(run('{\n  "id": 1\n}\n')), [{ id: 1 }])
  assert.deepEqual(entitiesOf(run('{"action":"wp:discover","output":{"entities":[]}}')), [])
  assert.deepEqual(entitiesOf(run('')), [])
})

test('the error object is the last line of stderr', () => {
  assert.deepEqual(failureOf(run('', 'It failed.\n{"status":0}\n\n')), { status: 0 })
  assert.equal(failureOf(run('', '{"status":0}\nIt failed.\n')), undefined)
  assert.equal(failureOf(run('', '')), undefined)
})
