import { createMemoryStorage } from './memory.ts'
import { describeStorage } from './suite.ts'

describeStorage('the memory engine', ({ now }) => createMemoryStorage({ now }))
