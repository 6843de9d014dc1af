/** A variable of the environment has a value that cannot be used; the message is one line. */
export class ConfigError extends Error {}

/** The variable, what it must be and what it was: not for secrets. */
export const badSetting = (name: string, must: string, was: string) =>
  new ConfigError(`${name} must be ${must}, got '${was.replaceAll(/\p{Cc}+/gu, ' ')}'`)
