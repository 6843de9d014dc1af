/**
 * Loaded into a real command before its own code (`NODE_OPTIONS=--import`): kills the process, as `kill -9` does, when
 * another server has answered it as often as KILL_AT_ANSWER says.
 */
const wanted = Number(process.env['KILL_AT_ANSWER'])
const ask = globalThis.fetch
let answers = 0

globalThis.fetch = async (...given) => {
  const answer = await ask(...given)
  if (++answers === wanted) process.kill(process.pid, 'SIGKILL')
  return answer
}

export {}
