import { InvalidArgumentError } from 'commander'

/** Whole hours from 0 to `most`, for `option`. */
export const hoursArgument =
  (most: number) =>
  (text: string): number => {
    if (/^\d{1,3}$/.test(text) && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`It must be whole hours from 0 to ${most}.`)
  }
