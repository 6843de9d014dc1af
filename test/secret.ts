/** What seals the stored keys of the tests. */
export const TEST_SECRET = 'the secret of the tests: 32 characters long'
