/** Tests the composables in a document of happy-dom, against a world in memory: `node --test use-world.test.ts`. */
import '../document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import type { World } from '@worldwright/client'
import { memoryWorld } from '@worldwright/client/testing'
import { createApp, defineComponent, h, ref, Suspense } from 'vue'
import { window } from '../document.ts'
import { useEntity, useQuery, useWorld } from './use-world.ts'

const moon = (id: string, mass: number) => ({
  type: 'sol:moon',
  id,
  title: id.toUpperCase(),
  attributes: { mass },
})

/** Prepares a page that shows a moon and the number of heavy moons. `sent` gives the abort signals of its requests. */
function prepared() {
  const memory = memoryWorld({ entities: [moon('io', 9), moon('rhea', 2)] })
  const signals: (AbortSignal | null | undefined)[] = []
  const fetch: typeof memory.fetch = (url, init) => {
    signals.push(init.signal)
    return memory.fetch(url, init)
  }
  const id = ref('io')
  const Moon = defineComponent(
    (props: { world: World }) => {
      const moon = useEntity(props.world, 'sol:moon', id)
      const heavy = useQuery(props.world, { where: { op: '>', args: [{ property: 'mass' }, 5] } })
      return () =>
        h('p', moon.error.value?.message ?? `${moon.data.value?.title}, ${heavy.data.value?.total} heavy`)
    },
    { props: ['world'] },
  )
  const Page = defineComponent(async () => {
    const { data, suspense } = useWorld(memory.origin, { fetch, retries: 0 })
    await suspense()
    return () => data.value && h(Moon, { world: data.value })
  })
  // Without a time limit the cache sets no timers, which would keep the process running.
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } })
  const app = createApp(() => h(Suspense, null, { default: () => h(Page), fallback: () => 'Loading…' }))
  const container = window.document.createElement('div')
  app.use(VueQueryPlugin, { queryClient }).mount(container as never)
  const until = async (isTrue: () => boolean) => {
    for (let turns = 0; !isTrue() && turns < 2_000; turns++)
      await new Promise((resolve) => setTimeout(resolve, 1))
  }
  /** Waits until the HTML of the page matches. */
  const shows = async (text: RegExp) => {
    await until(() => text.test(container.innerHTML))
    assert.match(container.innerHTML, text)
  }
  /** Waits until `count` requests have been sent, and returns the abort signal of the last one. */
  const sent = async (count: number) => {
    await until(() => signals.length >= count)
    return signals[count - 1]
  }
  return { memory, sent, app, id, shows }
}

test('an entity and a query result are shown, and a new id shows another entity', async () => {
  const { id, shows, app } = prepared()
  await shows(/^Loading…$/)
  await shows(/^<p>IO, 1 heavy<\/p>$/)
  id.value = 'rhea'
  await shows(/^<p>RHEA, 1 heavy<\/p>$/)
  app.unmount()
})

test('a failure is shown', async () => {
  const { memory, shows, app } = prepared()
  memory.fail({ on: 'get', kind: 'error', status: 403, code: 'forbidden' })
  await shows(/^<p>forbidden\.<\/p>$/)
  app.unmount()
})

test('a request is aborted when its id changes or its component is unmounted', async () => {
  const { memory, sent, id, shows, app } = prepared()
  await shows(/IO/)
  memory.fail({ on: 'get', kind: 'slow' }, 2)
  id.value = 'rhea'
  const rhea = await sent(4)
  assert.equal(rhea?.aborted, false)
  id.value = 'none'
  const none = await sent(5)
  assert.deepEqual([rhea?.aborted, none?.aborted], [true, false])
  app.unmount()
  assert.equal(none?.aborted, true)
})
