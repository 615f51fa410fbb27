/** Tests `MoonList` in a document of happy-dom, against a world in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { memoryWorld } from '@worldwright/client/testing'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { window } from '../document.ts'
import { MoonList } from './moon-list.tsx'

const saturn = { type: 'sol:planet', id: 'saturn' }
const moon = (id: string, planet: string) => ({
  ...{ type: 'sol:moon', id, title: id.toUpperCase() },
  attributes: { orbits: { type: 'sol:planet', id: planet } },
})

/** Waits for a timer, so that React finishes its pending work. */
const turn = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** Prepares the list of the moons of Saturn. `signals` collects the abort signals of its requests. */
function prepared() {
  const entities = [{ ...saturn, title: 'Saturn', attributes: {} }]
  const memory = memoryWorld({ entities: [...entities, moon('rhea', 'saturn'), moon('io', 'jupiter')] })
  const signals: (AbortSignal | null | undefined)[] = []
  const fetch: typeof memory.fetch = (url, init) => {
    signals.push(init.signal)
    return memory.fetch(url, init)
  }
  // Without a time limit the cache sets no timers, which would keep the process running.
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } })
  const container = window.document.createElement('div')
  const root = createRoot(container as unknown as Element)
  const options = { fetch, retries: 0 }
  const render = () =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <MoonList origin={memory.origin} planet="saturn" options={options} />
        </QueryClientProvider>,
      ),
    )
  /** Waits until the HTML of the page matches. */
  const shows = async (text: RegExp) => {
    for (let turns = 0; !text.test(container.innerHTML) && turns < 2_000; turns++) await turn()
    assert.match(container.innerHTML, text)
  }
  return { memory, client, signals, root, render, shows }
}

test('the moons of the planet are shown when they have loaded', async () => {
  const { render, shows } = prepared()
  await render()
  await shows(/^<section><h1>Saturn: 1 moons<\/h1><ul><li>RHEA<\/li><\/ul><\/section>$/)
})

test('a failure is shown by the error boundary', async (t) => {
  t.mock.method(console, 'error', () => {})
  const { memory, render, shows } = prepared()
  memory.fail({ on: 'get', kind: 'error', status: 403, code: 'forbidden' })
  await render()
  await shows(/^<p role="alert">forbidden\.<\/p>$/)
})

test('requests are aborted by cancelQueries, and when their component is unmounted', async () => {
  const { memory, client, signals, root, render, shows } = prepared()
  memory.fail({ on: 'get', kind: 'slow' })
  await render()
  await shows(/^<p>Loading…<\/p>$/)
  const first = signals.at(-1)
  assert.equal(first?.aborted, false)
  await act(() => client.cancelQueries())
  assert.equal(first?.aborted, true)
  // A suspended component requests its data again.
  await shows(/^<section>/)

  memory.fail({ on: 'get', kind: 'slow' })
  const sent = signals.length
  const refetched = client.refetchQueries({ queryKey: ['world', memory.origin, 'entity'] })
  for (let turns = 0; signals.length === sent && turns < 2_000; turns++) await turn()
  const second = signals.at(-1)
  assert.equal(second?.aborted, false)
  await act(async () => root.unmount())
  assert.equal(second?.aborted, true)
  await refetched
})
