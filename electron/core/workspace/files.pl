# Serves the files of one folder on stdin and stdout, as ai, for as long as the connection lasts. Nothing but perl's
# core is used: perl-base is essential in every Debian.
#
# No path is ever handed to the kernel: each name on the way is opened on its own, relative to the folder before it,
# with O_NOFOLLOW, and entered by that handle. A link is read as text and walked by the same rules; ".." in one goes back
# to a handle that is held. So what is swapped for a link between two steps leads nowhere else.
#
# A message is a count of bytes, then fields: count and bytes each (all big-endian, 32 bits). A request names what to do in
# its first field; a reply starts with "ok", or with a word for what is in the way.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :mode);
use Errno qw(ENOENT ENOTDIR ELOOP EEXIST ENOSPC EDQUOT EACCES EPERM EROFS ENXIO ENAMETOOLONG);

use constant { MAX_LINKS => 40, MAX_DEPTH => 200, MAX_NAMES => 100_000, MAX_MESSAGE => 16 * 1024 * 1024 };

my $O_DIRECTORY = O_DIRECTORY;
my $O_NOFOLLOW = O_NOFOLLOW;
my $root_path = shift @ARGV;
binmode STDIN;
binmode STDOUT;
$| = 1;
$SIG{PIPE} = 'DEFAULT';
sysopen(my $root, $root_path, O_RDONLY | $O_DIRECTORY | $O_NOFOLLOW) or exit 3;

my %do = (list => \&list, read => \&read_file, target => \&target_of, write => \&write_file, delete => \&delete_path);

while (defined(my $head = take(4))) {
  my $length = unpack 'N', $head;
  exit 4 if $length > MAX_MESSAGE;
  my @fields = unpack '(N/a*)*', take($length) // exit 4;
  my $name = shift @fields;
  my @reply = eval { ($do{$name} or die ['unknown'])->(@fields) };
  if (my $error = $@) { @reply = ref $error ? @$error : ('failed', $error) }
  else { unshift @reply, 'ok' }
  my $message = pack '(N/a*)*', @reply;
  give(pack('N', length $message) . $message);
}

sub take {
  my ($length) = @_;
  my $bytes = '';
  while (length $bytes < $length) {
    my $got = sysread STDIN, $bytes, $length - length $bytes, length $bytes;
    next if !defined $got && $!{EINTR};
    return undef if !$got;
  }
  return $bytes;
}

sub give {
  my ($bytes) = @_;
  my $at = 0;
  while ($at < length $bytes) {
    my $put = syswrite STDOUT, $bytes, length($bytes) - $at, $at;
    exit 0 if !defined $put && !$!{EINTR};
    $at += $put // 0;
  }
}

# What is in the way, from the last error of the system.
sub fail {
  my ($what) = @_;
  my $word =
      $! == ENOENT ? 'missing'
    : $! == ENOTDIR || $! == ELOOP ? 'not-a-folder'
    : $! == EEXIST ? 'exists'
    : $! == ENOSPC || $! == EDQUOT ? 'no-space'
    : $! == EACCES || $! == EPERM ? 'denied'
    : $! == EROFS ? 'read-only'
    : $! == ENAMETOOLONG ? 'too-long'
    : 'failed';
  die [$word, "$what: $!"];
}

sub open_folder {
  my ($name) = @_;
  sysopen(my $folder, $name, O_RDONLY | $O_DIRECTORY | $O_NOFOLLOW | O_NONBLOCK) or return undef;
  return $folder;
}

# Enters the folder that holds the last name of a path. Returns that name, '.' for the root itself. Links on the way are
# walked; the last name too unless $keeps_link. With $makes, folders that are missing are made.
sub enter {
  my ($path, $keeps_link, $makes) = @_;
  my @stack = ($root);
  my @names = split m{/}, $path;
  my $links = 0;
  chdir $root or fail('the workspace cannot be entered');
  while (@names) {
    my $name = shift @names;
    next if $name eq '' || $name eq '.';
    if ($name eq '..') {
      die ['outside', ''] if @stack == 1;
      pop @stack;
      chdir $stack[-1] or fail('a folder cannot be entered');
      next;
    }
    my $is_last = !grep { $_ ne '' && $_ ne '.' } @names;
    my $target = $is_last && $keeps_link ? undef : readlink $name;
    if (defined $target) {
      die ['link-loop', ''] if ++$links > MAX_LINKS;
      die ['outside', ''] if $target =~ m{^/};
      unshift @names, split m{/}, $target;
      next;
    }
    return $name if $is_last;
    my $folder = open_folder($name);
    if (!$folder && $makes && $! == ENOENT) {
      mkdir $name or $! == EEXIST or fail('a folder cannot be made');
      $folder = open_folder($name);
    }
    $folder or fail('a folder on the way');
    die ['too-deep', ''] if @stack > MAX_DEPTH;
    chdir $folder or fail('a folder cannot be entered');
    push @stack, $folder;
  }
  return '.';
}

sub type_of {
  my ($mode) = @_;
  return S_ISREG($mode) ? 'file' : S_ISDIR($mode) ? 'folder' : S_ISLNK($mode) ? 'link' : 'other';
}

# path, depth, limit, the path after which to go on (empty: from the start). Gives path, type, size, time for each, in the
# order of names, a folder before what is in it; at last 1 when there is more.
sub list {
  my ($path, $depth, $limit, $after) = @_;
  my $name = enter($path);
  my $top = open_folder($name) or fail('the folder');
  my @found;
  my $seen = 0;
  my $walk;
  $walk = sub {
    my ($folder, $prefix, $left, @after) = @_;
    chdir $folder or return 0;
    opendir my $handle, '.' or return 0;
    my @names;
    while (defined(my $entry = readdir $handle)) {
      next if $entry eq '.' || $entry eq '..';
      die ['too-many', ''] if ++$seen > MAX_NAMES;
      push @names, $entry;
    }
    closedir $handle;
    my $from = shift @after;
    for my $entry (sort @names) {
      next if defined $from && $entry lt $from;
      my $is_passed = defined $from && $entry eq $from;
      my @stat = lstat $entry or next;
      if (!$is_passed) {
        return 1 if @found >= 4 * $limit;
        push @found, "$prefix$entry", type_of($stat[2]), $stat[7], $stat[9];
      }
      if (S_ISDIR($stat[2]) && $left > 1 && (my $inner = open_folder($entry))) {
        my $is_cut = $walk->($inner, "$prefix$entry/", $left - 1, $is_passed ? @after : ());
        return 1 if $is_cut;
        chdir $folder or return 0;
      }
    }
    return 0;
  };
  my $is_cut = $walk->($top, '', $depth, split m{/}, $after);
  return (@found, $is_cut);
}

sub only_regular {
  my ($mode) = @_;
  die ['is-folder', ''] if S_ISDIR($mode);
  die ['not-regular', ''] if !S_ISREG($mode);
}

# path, offset, length. Gives the size of the whole, the time of its last change and the bytes.
sub read_file {
  my ($path, $offset, $length) = @_;
  my $name = enter($path);
  my @before = lstat $name or fail('the file');
  # A link can only have come since: walked once, it is not walked again.
  die ['changed', ''] if S_ISLNK($before[2]);
  only_regular($before[2]);
  sysopen(my $file, $name, O_RDONLY | $O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) or fail('the file');
  my @stat = stat $file or fail('the file');
  only_regular($stat[2]);
  sysseek $file, $offset, 0 or fail('the file');
  my $bytes = '';
  while (length $bytes < $length) {
    my $got = sysread $file, $bytes, $length - length $bytes, length $bytes;
    defined $got or fail('the file');
    last if !$got;
  }
  return ($stat[7], $stat[9], $bytes);
}

# path of a link. Gives the text in it; it is not followed.
sub target_of {
  my ($path) = @_;
  my $name = enter($path, 1);
  my $target = readlink $name;
  defined $target or fail('the link');
  return $target;
}

my $count = 0;

# path, whether it may replace a file, whether it may make folders, the bytes. Gives the size and whether a file was replaced.
sub write_file {
  my ($path, $may_replace, $makes, $bytes) = @_;
  my $name = enter($path, 0, $makes);
  die ['is-folder', ''] if $name eq '.';
  my $mode;
  if (my @stat = lstat $name) {
    die ['changed', ''] if S_ISLNK($stat[2]);
    only_regular($stat[2]);
    die ['exists', ''] if !$may_replace;
    $mode = $stat[2] & 0777;
  }
  my $temp = sprintf '.paddock-%d-%d-%06x.tmp', $$, ++$count, rand 1 << 24;
  sysopen(my $file, $temp, O_WRONLY | O_CREAT | O_EXCL | $O_NOFOLLOW, 0666) or fail('the file cannot be made');
  eval {
    my $at = 0;
    while ($at < length $bytes) {
      my $put = syswrite $file, $bytes, length($bytes) - $at, $at;
      defined $put or fail('the file cannot be written');
      $at += $put;
    }
    chmod $mode, $file if defined $mode;
    close $file or fail('the file cannot be written');
    if ($may_replace) { rename $temp, $name or fail('the file cannot be put in place') }
    elsif (link $temp, $name) { unlink $temp }
    elsif ($! == EEXIST) { die ['exists', ''] }
    # File systems without hard links.
    else {
      die ['exists', ''] if lstat $name;
      rename $temp, $name or fail('the file cannot be put in place');
    }
    1;
  } or do {
    my $error = $@;
    unlink $temp;
    die $error;
  };
  return (length $bytes, defined $mode ? 1 : 0);
}

# path, whether it may be a folder with all that is in it. Gives the type of what was deleted.
sub delete_path {
  my ($path, $is_tree) = @_;
  my $name = enter($path, 1);
  die ['root', ''] if $name eq '.';
  my @stat = lstat $name or fail('it');
  my $type = type_of($stat[2]);
  if ($type ne 'folder') { unlink $name or fail('it cannot be deleted') }
  elsif (!$is_tree) { rmdir $name or ($! == EEXIST || $!{ENOTEMPTY} ? die ['not-empty', ''] : fail('it cannot be deleted')) }
  # It keeps to handles, too, and follows no link. Source: coreutils' remove.c, gnulib's fts.c.
  else {
    my $pid = open(my $output, '-|') // fail('rm cannot be started');
    if (!$pid) {
      open STDERR, '>&', \*STDOUT;
      open STDIN, '<', '/dev/null';
      exec 'rm', '-rf', '--one-file-system', '--', "./$name" or exit 127;
    }
    my $complaint = join '', <$output>;
    close $output or die ['failed', substr $complaint, 0, 500];
  }
  return $type;
}
