import { serve } from './serve-bare.ts'

/** The reference: how long Node itself takes until it answers, as TypeScript that it runs as it is. */
await serve((_, response) => response.end('{"api":"pong"}'))
