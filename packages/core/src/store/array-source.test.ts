import { arraySource } from './array-source.fixture.ts'
import { describeSource } from './suite.ts'

describeSource('an array', arraySource)
