/** Text that would change a statement it got into (`docs/security-checks.md` S16). */
export const SQL: readonly string[] = [
  `'`,
  `"`,
  '`',
  `\\'`,
  `%27`,
  `';`,
  `' OR '1'='1`,
  `' OR 1=1 --`,
  `" OR ""="`,
  `') OR ('1'='1`,
  `1 OR 1=1`,
  `1) OR (1=1`,
  `1; DROP TABLE users`,
  `'; DROP TABLE users; --`,
  `1 UNION SELECT password_hash FROM users`,
  `' UNION SELECT null, password_hash FROM users --`,
  `' AND (SELECT 1 FROM pg_sleep(30)) IS NOT NULL --`,
  `1; SELECT pg_sleep(30)`,
  `' || (SELECT sqlite_version()) || '`,
  `' AND randomblob(500000000) --`,
  `$1`,
  `?1`,
  `:id`,
  `\${7*7}`,
  `/**/OR/**/1=1`,
  `x' AND 1=CAST((SELECT version()) AS int) --`,
  `\\x27 OR 1=1`,
  `ʼ OR 1=1 --`,
  `＇ OR 1=1 --`,
  `id; --`,
  `(SELECT 1)`,
  `null`,
]

/** What `like` would read as a pattern. */
export const WILDCARDS: readonly string[] = [
  '%',
  '_',
  '%%',
  '_%',
  '\\',
  '\\%',
  '%a%',
  'a_a',
  '*',
  '[a-z]',
  '%@%',
]

/** Names by which a merge would reach what all objects share (`docs/security-checks.md` S17). */
export const POLLUTION: readonly string[] = [
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"__proto__":{"__proto__":{"polluted":"yes"}}}',
  '{"first":{"__proto__":{"polluted":"yes"}}}',
  '{"__proto__":null}',
  '{"__proto__":"yes","constructor":"yes","prototype":"yes","toString":"yes","hasOwnProperty":"yes"}',
]

/** Names by which a merge would reach what all objects share, as a query or a form. */
export const POLLUTION_AS_TEXT: readonly string[] = [
  '__proto__[polluted]=yes',
  '__proto__.polluted=yes',
  '__proto__=yes',
  'constructor[prototype][polluted]=yes',
  'constructor.prototype.polluted=yes',
  'toString=yes&valueOf=yes&hasOwnProperty=yes',
]

/** Text of about `length` characters on which a careless expression takes its time (`docs/security-checks.md` S18). */
export const slowTexts = (length: number): string[] => {
  const repeated = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
  return [
    `${repeated('a')}!`,
    `${repeated('a')}@`,
    `a@${repeated('a.')}`,
    `a@${repeated('a-')}-`,
    repeated('a@'),
    repeated('@'),
    `${repeated('.')}@a.b`,
    `https://${repeated('a')}`,
    `https://${repeated('a.')}/`,
    `https://a/${repeated('../')}`,
    `https://${repeated(':@')}`,
    `${repeated('1.')}1`,
    `${repeated('1:')}:`,
    `::${repeated('0:')}`,
    `${repeated(' ')}x`,
    `x${repeated('\t')}x`,
    repeated('\\'),
    repeated('%'),
    repeated('('),
    repeated('-'),
    repeated('0'),
    repeated('a\u0301'),
    repeated('\u0301'),
    repeated('\ufdfa'),
    repeated('\u200d'),
    repeated('👩‍👩‍👧‍👦'),
    repeated('İ'),
  ]
}
