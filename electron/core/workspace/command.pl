# Waits for one command on stdin (a count of bytes, 32 bits, big-endian, then its text), runs it with bash, and leaves
# nothing of it behind. When stdin ends after that, as it does when the connection breaks, or SIGTERM comes, the command is
# told to end, then made to. The exit code or signal is its own.
use strict;
use warnings;
use Config;
use Errno;

use constant { GRACE => 1, SWEEP => 5, WNOHANG => 1 };

my $command = take(unpack 'N', take(4));
my $is_over = 0;
$SIG{TERM} = $SIG{HUP} = $SIG{INT} = sub { $is_over = 1 };
$SIG{CHLD} = sub { };
# What the command's children leave behind comes to this process instead of the first one: prctl(PR_SET_CHILD_SUBREAPER).
my %prctl = (x86_64 => 157, aarch64 => 167);
my ($machine) = $Config{archname} =~ /^([^-]+)/;
syscall $prctl{$machine}, 36, 1, 0, 0, 0 if $prctl{$machine};

my $pid = fork // do { print STDERR "no process could be started: $!\n"; exit 126 };
if (!$pid) {
  setpgrp 0, 0;
  $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT CHLD);
  open STDIN, '<', '/dev/null';
  exec { '/bin/bash' } 'bash', '-lc', $command or do { print STDERR "bash cannot be started: $!\n"; exit 127 };
}
setpgrp $pid, $pid;

my $status;
my $told;
until (defined $status) {
  my $ended = waitpid $pid, WNOHANG;
  if ($ended == $pid) { $status = $?; last }
  if ($ended < 0) { $status = 255 << 8; last }
  if ($is_over && !$told) { $told = time; kill 'TERM', -$pid }
  last if $told && time - $told > GRACE;
  my $ready = '';
  vec($ready, 0, 1) = 1 if !$is_over;
  if (select($ready, undef, undef, 0.25) > 0) {
    my $got = sysread STDIN, my $ignored, 4096;
    $is_over = 1 if defined $got && $got == 0;
  }
}
sweep();
$status //= 9;
if (my $signal = $status & 127) {
  $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT CHLD);
  kill $signal, $$;
}
exit $status >> 8;

sub take {
  my ($length) = @_;
  my $bytes = '';
  while (length $bytes < $length) {
    my $got = sysread STDIN, $bytes, $length - length $bytes, length $bytes;
    exit 0 if !$got && !(!defined $got && $!{EINTR});
  }
  return $bytes;
}

# Ends everything that descends from this process. Stopped first, so that nothing starts more while it is ended.
sub sweep {
  kill 'KILL', -$pid;
  my $end = time + SWEEP;
  while (time < $end) {
    1 while waitpid(-1, WNOHANG) > 0;
    return if !has_children();
    my %known;
    for (1 .. 20) {
      my @new = grep { !$known{$_}++ } descendants();
      last if !@new;
      kill 'STOP', @new;
    }
    kill 'KILL', keys %known;
    select undef, undef, undef, 0.01;
  }
}

sub has_children { return waitpid(-1, WNOHANG) >= 0 }

sub descendants {
  my %parent;
  opendir my $proc, '/proc' or return;
  for my $id (grep { /^\d+$/ } readdir $proc) {
    open my $file, '<', "/proc/$id/stat" or next;
    my $line = <$file> // next;
    $parent{$id} = $1 if $line =~ /\) \S (\d+)/;
  }
  my %is_ours = ($$ => 1);
  for (1 .. 200) {
    my @more = grep { !$is_ours{$_} && $is_ours{$parent{$_}} } keys %parent;
    last if !@more;
    $is_ours{$_} = 1 for @more;
  }
  delete $is_ours{$$};
  return keys %is_ours;
}
