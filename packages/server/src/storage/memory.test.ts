import { behindPromises } from './behind-promises.fixture.ts'
import { createMemoryStorage } from './memory.ts'
import { describeStorage } from './suite.ts'

describeStorage('the memory engine', ({ now }) => createMemoryStorage({ now }))
describeStorage('the memory engine behind promises', ({ now }) =>
  behindPromises(createMemoryStorage({ now })),
)
