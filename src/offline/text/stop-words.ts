/** English words that say nothing about what a text is about, in small letters. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above across after again against all almost also although always am among an and another any anybody
  anyone anything are aren't around as at be became because been before being below between both but by can can't
  cannot could couldn't did didn't do does doesn't doing don't done down during each either else enough etc even ever
  every everybody everyone everything few for from further get gets getting go goes going gone got had hadn't has
  hasn't have haven't having he he'd he'll he's her here here's hers herself him himself his how how's however i i'd
  i'll i'm i've if in instead into is isn't it it's its itself just keep let let's like made make makes many may maybe
  me might mine more most much must mustn't my myself need needs neither no nobody none nor not nothing now of off
  often on once one only onto or other others otherwise ought our ours ourselves out over own per perhaps please
  quite rather really same say says see seem seems shall shan't she she'd she'll she's should shouldn't since so some
  somebody someone something still such than that that's the their theirs them themselves then there there's these
  they they'd they'll they're they've thing things this those though through thus to together too toward towards
  under until up upon us use used uses using very via want wants was wasn't we we'd we'll we're we've well were
  weren't what what's when when's where where's whether which while who who's whoever whom whose why why's will with
  within without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves`.split(
    /\s+/,
  ),
);
