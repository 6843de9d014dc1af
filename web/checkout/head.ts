import { frameOf, send } from '../shared/frame.ts'

// Before anything is loaded: a parent that has not heard it when the frame is there takes it for broken.
const frame = frameOf(location.search, location.hash)
if (frame) send(frame, 'track', { event: 'load' })
