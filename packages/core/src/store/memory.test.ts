import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { behindPromises } from './behind-promises.fixture.ts'
import { createMemoryStore } from './memory.ts'
import { describeStore } from './suite.ts'

describeStore('the memory engine', ({ now }) => createMemoryStore({ now }), { indexes: false })
describeStore('the memory engine with an index', ({ now }) =>
  createMemoryStore({ now, search: memorySearch }),
)
describeStore('the memory engine behind promises', ({ now }) =>
  behindPromises(createMemoryStore({ now, search: memorySearch })),
)
