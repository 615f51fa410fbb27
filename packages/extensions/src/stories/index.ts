/** Stories of a world: their form, and their reader. */

export { readStory, STORY_PATH, type Story, type StoryFault, type StoryPart } from './story.ts'
