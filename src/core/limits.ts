/** Every limit of the platform that is not one capability's own, in one place, with its unit. */
export const LIMITS = {
  /** A request body. */
  bodyBytes: 1_048_576,
  /** Bodies that arrive in one process and have not ended; half of it for one account or address. */
  unfinishedBodyBytes: 64 * 1_048_576,
  /** What is taken in of all bodies in one turn of the event loop, and how many of those that waited go on in the next. */
  intakeTurnBytes: 2 * 1_048_576,
  intakeTurnBodies: 16,
  /** A longer body is read in a thread: on the event loop the worst of this length takes some 10 ms. */
  bodyInLoopBytes: 65_536,
  /** Texts, numbers, arrays and so on of a body that is read in a thread, and whose values the event loop is given. */
  bodyValues: 10_000,
  /** Bodies that wait for a thread, or are in one; half of them for one account. */
  bodiesInThreads: 16,
  /** Reading a body in a thread, with waiting for the thread. */
  bodyThreadMs: 30_000,
  /** The heap of a thread that reads bodies: several times what the worst body of 8 MiB needs. */
  bodyThreadHeapMb: 1_024,
  /** How long such a thread is kept without a body. */
  bodyThreadIdleMs: 30_000,
  /** Checking an output against a foreign schema in a thread, with waiting for the thread; its heap; how long it idles. */
  outputThreadMs: 30_000,
  outputThreadHeapMb: 512,
  outputThreadIdleMs: 30_000,
  /** How much of a turn of the event loop may go to reading bodies and to inline runs. */
  turnMs: 8,
  /** What such work may wait on for its turn; half of it for one account. The worst of it takes half a second in all. */
  turnsBacklogBytes: 4 * 1_048_576,
  /** Of what waits for its turn, work on so little goes first. */
  smallWorkBytes: 2_048,
  /** A body, from its request's head to its end. */
  bodyArrivalMs: 30_000,
  /** What of a request that is refused is read and dropped before the answer, and for how long. */
  lingerBytes: 64 * 1_048_576,
  lingerMs: 2_000,
  /** Nesting of a JSON body; the outermost object counts as 1. */
  jsonDepth: 64,
  idempotencyKeyChars: 255,
  /** What `Prefer: wait` and `?wait` may ask for. */
  maxWaitMs: 120_000,
  /** One attempt, where a capability says nothing else. */
  timeoutMs: 60_000,
  /** A call in all, with waiting, where a capability says nothing else. */
  deadlineMs: 600_000,
  attempts: 3,
  /** Without a sign of life for this long, a worker has lost its calls. */
  leaseMs: 5_000,
  /** How often a worker gives that sign. */
  renewMs: 1_000,
  /** How long an aborted handler may take to stop before its result no longer counts. */
  abortGraceMs: 1_000,
  sweepMs: 500,
  tidyMs: 60_000,
  sweepCalls: 200,
  /** Larger outputs lie in the artifact store instead of the call's row. */
  outputInRowBytes: 32_768,
  /** Shorter outputs stay in the row as they are: the database keeps what is longer in pieces beside it. */
  packOutputFromChars: 2_000,
  /** Of an output's length: a packed one that is longer saves too little. */
  packedOutputShare: 0.8,
  outputBytes: 64 * 1_048_576,
  /** Why a call failed, in words. */
  messageChars: 2_000,
  eventsPerCall: 1_000,
  progressBytes: 4_096,
  progressEveryMs: 100,
  /** How many stored events are read at once for those who follow a stream. */
  streamPageEvents: 100,
  /** How often a process looks for events whose wake-up was lost. */
  streamLookMs: 1_000,
  /** What may lie unsent for one who follows a stream; past it the connection is cut, and the receiver resumes. */
  streamLagBytes: 262_144,
  /** How long one who catches up may take nothing. */
  streamStallMs: 30_000,
  streamHeartbeatMs: 15_000,
  /** When a receiver whose stream broke comes back. */
  streamRetryMs: 2_000,
  /** Streams that one process holds open; each costs some 13 KiB. */
  streamsPerProcess: 20_000,
  /**
   * Without a sign of life for this long, the streams of a process count as closed. Shorter than `streamRetryMs`: whose
   * stream broke when a process was killed does not meet it again, still counted, when it comes back.
   */
  streamLeaseMs: 1_800,
  /** How often a process gives that sign. */
  streamRenewMs: 500,
  /** How long a URL lasts that a stream is followed by without a key. */
  streamUrlMs: 3_600_000,
  /** How old what a process knows of the pace of a pool may be, and how old what was measured of it. */
  paceFreshMs: 2_000,
  paceKeptMs: 900_000,
  /** What is told of one input that is taken all the same: so many remarks, on so many of its objects and lists. */
  remarks: 16,
  remarkedValues: 10_000,
  remarkPathChars: 128,
  remarkValueChars: 40,
  pageRows: 100,
  pageRowsDefault: 20,
  /** Rows that are looked at for a page, however few of them fit its filter. */
  pageScanRows: 1_000,
  handleChars: { min: 3, max: 40 },
  nameChars: 80,
  keysPerAccount: 100,
  /** Consents to audits that one account gives. */
  consentsPerHour: 1_000,
  /** How stale an authenticated key may be; a revoked one works no longer than this. */
  keyCacheMs: 3_000,
  keyCacheEntries: 20_000,
  /** How long what a process read or settled for a key may stand for a read of its means. */
  meansFreshMs: 1_000,
  authoriseBatchesInFlight: 2,
  /** The longest input that is run in the API process, where a capability says nothing else: canonical JSON. */
  inlineInputBytes: 65_536,
  /** Inputs of all calls that are run there at once, and for how much even an empty one counts; half for one account. */
  inlineRunsBytes: 524_288,
  inlineRunBytes: 2_048,
  /**
   * How often a process looks whether the keys still hold by which somebody waits or follows a stream. With the age that
   * an authenticated key may have, a revoked one ends them within 5 seconds.
   */
  keyLookMs: 1_500,
  settleBatch: 64,
  /** A call with a longer input is settled alone, beside the lists of others. */
  settleTogetherBytes: 65_536,
  /** A second one would mostly wait for the accounts and lanes that the first has locked, and halve the batches. */
  settleBatchesInFlight: 1,
  /** How often webhooks that are due are looked for. */
  webhookLookMs: 500,
  /** Webhooks under way at once in one process, and of one account among them. */
  webhookSlots: 64,
  webhookSlotsPerAccount: 8,
  /** One attempt, from the look-up of the host to the answer. */
  webhookTimeoutMs: 10_000,
  /** How long a sender holds a delivery: longer than any attempt with its reading and reporting. */
  webhookLeaseMs: 15_000,
  /** Replaced secrets that still sign beside the newest one. */
  webhookOldSecrets: 4,
  /** Memories that an account may keep, in all scopes together. Every search reads one scope, so this bounds it. */
  memoriesPerAccount: 10_000,
  /** How stale the count of them may be while there is much room, and of how many accounts a process keeps it. */
  memoryRoomMs: 5_000,
  memoryRoomEntries: 10_000,
  /** How long a semantic memory server may take to rank, from the connection to the end of its answer. */
  semanticTimeoutMs: 500,
  /** One message that tells a semantic memory server of new memories, and how many these are. */
  indexTimeoutMs: 10_000,
  indexBatch: 32,
  /** How often memories that the server was not told of are looked for. */
  indexLookMs: 500,
  /** How long a process holds memories that it tells of: longer than any attempt. Then they are due again. */
  indexLeaseMs: 15_000,
  /** Jobs of one queue that the queue board names. */
  boardJobs: 20,
  /** Spans of a process that wait to be sent, how often they are, and how long the collector may take. */
  spansWaiting: 4_096,
  spansEveryMs: 1_000,
  spansTimeoutMs: 5_000,
  /** How long a process that is to stop says that it is not ready before it takes no more. */
  unreadyMs: 500,
  /** How long a GET waits for one statement, or for whatever else its answer is made from, in milliseconds. */
  readPatienceMs: 2_000,
  /** How often a scheduled job may be due. */
  jobEveryMs: { min: 100, max: 7 * 86_400_000 },
  /** One run of a scheduled job; what takes longer gives up its lease, and has failed. */
  jobMs: 60_000,
  /** How long a run that finds more and more to do goes on before it leaves the rest to the next one. */
  jobTurnMs: 10_000,
  /** How long after a job is due a process looks: the one that ran something last, and those that stand by. */
  jobLagMs: { runner: 5, standby: 500 },
  /** A job that nobody has begun this long after it was due is told of. */
  jobOverdueMs: 60_000,
  /** How long a process leaves the schedule alone when it could not look at it. */
  jobRetryMs: 500,
  /** How many weeks before they are needed the partitions of outputs and events are made. */
  partitionsAheadWeeks: 4,
  /** How often old results are let go, and how many rows of a default partition at once. */
  retentionEveryMs: 3_600_000,
  retentionRows: 10_000,
  /** One document of the state tools, as canonical JSON. */
  documentBytes: 65_536,
  documentsPerCall: 8,
  documentKeyChars: 200,
  /** How often a list of state tools is decided on what is read before its documents are locked. */
  decisionsBeforeLock: 3,
  /** What a state tool gives; it stands in the call's row. */
  stateOutputBytes: 32_768,
  /** How often a process looks for changed listings of which it heard nothing, and how many it reads at once. */
  catalogLookMs: 10_000,
  listingsAtOnce: 200,
  /** Longer work on an event loop lets others have their turn in between. */
  loopTurnMs: 5,
  /** How often a process reads the counters of the catalog: they may lag 5 s. */
  catalogStatsMs: 2_000,
  /** Entries of the catalog in one answer. */
  catalogPage: 1_000,
  /** Rendered answers of the catalog that a process keeps, all together. */
  catalogAnswerBytes: 32 * 1_048_576,
  /** Paths of listings in the API's document. */
  listedPaths: 500,
  /** Nodes of one run, and of them on their way at once. */
  runNodes: 64,
  runNodesInFlight: 8,
  /** Runs within runs; the one that was paid counts as 1. */
  runDepth: 3,
  /** What the rules keep of a run, and the input of one node before its bindings are filled. */
  runDocumentBytes: 65_536,
  /** How often the rules are asked in one advance before they count as a mistake: once for each node, and once more. */
  runDecisions: 65,
  /** Runs that are advanced together. */
  runBatch: 32,
  /** How often an advance that was overtaken is tried again at once; then the sweep does it. */
  runTries: 5,
  /** How often what advances missed is looked for, and how old mail must be for that: younger is on its way. */
  runSweepMs: 1_000,
  runMailMs: 1_000,
  runSweepRuns: 200,
} as const;
