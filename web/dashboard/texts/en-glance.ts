/** Words of what a seller sees at a glance: the feed, the sandbox, the first steps, the server, figures. */
export const enGlance = {
  // Feed
  liveFeed: 'Live',
  pausedFeed: 'Paused',
  connecting: 'Connecting',
  pause: 'Pause',
  goOn: 'Go on',
  newRows: '{count} new',
  allEvents: 'All events',
}
